"""From what a user gives to a checked plan: arguments, members, initial data, one step."""
