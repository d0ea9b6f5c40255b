"""whit beside other accountants, in one process: how long, how far from the truth, and on which side.

mechanisms    what is released, in words that all tools understand
census        the noise of the 2020 Census redistricting data (census.json)
truth         the true values (reference.json), and how an answer is judged by them
cases         the questions
whit_side     whit's answers
peers         the answers of dp-accounting, riskcal and prv-accountant, if they are installed
measure       times, interleaved
table         the results, for people to read
many_kinds    a million mechanisms of fifty kinds, in a process of its own
claims        what must hold; the exit status says whether it does
run           all of it
grid_referee  training with noisy gradients on a grid of losses, for the calibration
calibration   the sigma of training with noisy gradients, from each tool
import_time   what importing whit costs
assess_time   what an assessment costs in a warm process
kept          runs them, and keeps what each prints with the commit (results)
results_page  the page of what is kept
"""
