"""The printed parts of Across the Bug River, decoded: charts, counters, map and scenarios, without any rule of play."""
