"""The bridge protocol: bytes, messages and states, without I/O."""
