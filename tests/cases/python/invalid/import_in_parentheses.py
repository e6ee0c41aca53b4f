import (a)
