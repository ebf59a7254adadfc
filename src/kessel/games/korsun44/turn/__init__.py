"""3.2, 5.0-8.0 What happens in a turn beside movement, combat, supply and engineering."""
