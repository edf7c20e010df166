"""What separates two variables: of undirected networks in the graph, of directed ones in an order that all share."""
