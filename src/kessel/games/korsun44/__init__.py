"""The Jaws of Victory: the Korsun pocket, January and February 1944."""
