"""What chance alone shows: series made alike in length, and classes dealt at random among what may be exchanged."""
