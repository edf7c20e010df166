"""The study of Luo, Moffa & Kuipers (2021), and a lesson from it."""
