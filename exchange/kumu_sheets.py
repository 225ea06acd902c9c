"""Being written."""


def is_mine(content: bytes) -> bool:
    return False
