"""Companion of a printed Crib Wars board: the rules, the lights, the table and its pages."""
