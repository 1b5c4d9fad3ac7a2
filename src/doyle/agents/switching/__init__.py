"""Players that switch between strategies within a hand (Schnizlein 2009, chapter 5). All are policies.

In reading order:

`coach`        `defensive-coach` and `full-coach`: two strategies, and when to leave the first for the second
`by_name`      coaches by name, `defensive-coach:FIRST:then:SECOND`
"""
