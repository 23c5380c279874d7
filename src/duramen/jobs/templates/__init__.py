"""Blocks that repeat across the pages of a site: learned in a first pass, removed from selections in a second."""

from duramen.jobs.templates.first_pass import learn_inputs
from duramen.jobs.templates.keys import block_keys
from duramen.jobs.templates.learn import Learner, Learning, learn
from duramen.jobs.templates.sites import SiteLearner, SiteTemplates, site_of
from duramen.jobs.templates.templates import Templates

__all__ = [
    "Learner",
    "Learning",
    "SiteLearner",
    "SiteTemplates",
    "Templates",
    "block_keys",
    "learn",
    "learn_inputs",
    "site_of",
]
