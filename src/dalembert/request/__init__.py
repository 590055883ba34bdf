"""From what a user gives to a checked plan: arguments, members, initial data, one step.

Nothing here loops: a request ends with a `Prepared` run, which the programs advance.
"""
