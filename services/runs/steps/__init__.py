"""Steps of a run and their groups: views, rulings and redone steps; and the rounds of an item."""
