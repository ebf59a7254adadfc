"""4.0, 9.0, 13.2 Supply and command: lines, points flown in, HQs and their activation."""
