"""Drawing of a board: the printed sheet as SVG."""
