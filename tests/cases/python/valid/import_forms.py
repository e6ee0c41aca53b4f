import a
import a.b.c as d, e
from a import b
from a.b import c as d, e
from a import (b, c as d,)
from . import a
from .a import b
from ... import a
from .... import a
from ...a.b import c
from . .. import a
from a import *
from .import a
import match, case, type, _
