"""How far people or models agree, on ratings of units and on graphs. Undefined is a value with its reason."""
