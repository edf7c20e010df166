"""Learn which links separate two classes, and classify rows that nothing was learned from."""

import engine
import sample_data

table = sample_data.load("two_hospitals")
first = engine.Dataset.from_frame(table[:900])
result = engine.Discriminative(target="hospital", shuffles=99).run(first)
print(result.headline())

new = table[900:].drop(columns="hospital")
verdicts = result.predict(new)
print(verdicts["class"].value_counts().to_dict())
print(result.test(table[900:]).headline())
