"""What is recorded, one file for each subject, in the order of `replaying.recording`."""
