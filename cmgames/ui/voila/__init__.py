"""What Voilà and its kernels need for the page."""
