"""What the HTTP door is made of: the gate in front of every path, and the forms before it."""
