"""A command run as it is and isolated, what makes the difference, and the checks of a patch."""
