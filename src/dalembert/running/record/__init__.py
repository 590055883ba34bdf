"""What is made of rows while a run goes on: rows that are saved, statistics, sections."""
