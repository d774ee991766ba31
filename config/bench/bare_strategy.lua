-- An app that does nothing.
return {}
