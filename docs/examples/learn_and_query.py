"""Learn a network under what is known beforehand, fit its probabilities, ask it, and hand it to another program."""

import engine
import sample_data
from engine.models import fitted

data = sample_data.dataset("two_hospitals").select(["age", "severity", "early_antibiotics", "complication", "stay"])
known = engine.Knowledge(tiers=[["age"], ["severity"], ["early_antibiotics"], ["complication", "stay"]])
graph = engine.learn(data, engine.BDeu(ess=1.0), "hill_climbing", knowledge=known, progress=True)
print(sorted(graph.edges))

network = fitted(data, graph)
print(network)
levels = data.levels["complication"]
for severity in data.levels["severity"]:
    shares = network.query("complication", {"severity": severity})
    print(severity, dict(zip(levels, shares.round(3).tolist(), strict=True)))
print(engine.exchange.network_to_bif(network).splitlines()[0])
