"""Being written."""


def is_mine(text: str) -> bool:
    return False
