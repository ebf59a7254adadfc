"""What is told of a position: views, previews, hand-written positions, questions."""
