"""Scripted models, which answer within Edgewise or on the loopback model server. Nothing here is a measurement."""
