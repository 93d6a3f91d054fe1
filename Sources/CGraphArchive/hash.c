#include "CGraphArchive.h"
