"""Class networks in a scikit-learn pipeline: folds, a grid, and a figure to beat."""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from engine.sklearn import ClassNetworks

X, y = load_breast_cancer(return_X_y=True)
grid = GridSearchCV(ClassNetworks(), {"levels": [2, 4], "max_parents": [0, 1]}, cv=3)
rival = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))

print(f"class networks: {cross_val_score(grid, X, y, cv=3).mean():.2f}")
print(f"logistic regression: {cross_val_score(rival, X, y, cv=3).mean():.2f}")
print(grid.fit(X, y).best_params_)
