"""The Connect page: what a program is granted, the lines with which it connects, and the tokens that were made."""
