"""What a run extracted from papers: papers and their candidates, decisions, collecting, handing out."""
