"""Which links do not hold for one patient, and what is predicted for her."""

import engine
import sample_data

data = sample_data.dataset("two_hospitals")
result = engine.InstanceSpecific().run(data, 3, target="complication")

print(result.headline())
print(result.prediction.round(3))
print(", ".join(result.figures()))
