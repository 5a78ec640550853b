"""What games on maps share: ways through a graph of areas."""
