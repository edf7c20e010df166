"""Networks from ordinal data: Luo, Moffa & Kuipers 2021."""
