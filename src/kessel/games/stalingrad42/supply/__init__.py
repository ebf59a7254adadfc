"""16.0-18.0 Supply, isolation, railroads, resources."""
