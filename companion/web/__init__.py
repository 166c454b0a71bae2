"""The page: the board alive in a browser. It shows the running table and drives the mock panel."""
