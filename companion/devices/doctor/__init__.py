"""The doctor: findings about this machine and its settings, with remedies."""
