"""Files of strangers: what they are, who may upload them, and the child that reads them."""
