"""What is kept between calls."""
