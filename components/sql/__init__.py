"""The SQL page: data on the left, a query, what it gives as a table and as a chart, and the join by date."""
