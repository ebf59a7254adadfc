"""What is told: positions, questions, views, previews."""
