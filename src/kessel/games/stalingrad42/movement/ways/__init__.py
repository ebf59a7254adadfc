"""4.0-7.0 Where units may go: zones and bonds, stacking, costs, reach."""
