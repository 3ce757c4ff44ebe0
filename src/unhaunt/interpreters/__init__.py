"""An interpreter and what lies around it: asked without running anything of the user's."""
