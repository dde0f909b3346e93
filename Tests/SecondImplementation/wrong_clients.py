"""Ways in which a client is wrong, for `conformance_client.py --wrong`: `parley conformance` must notice each of them."""
WRONG = {}
