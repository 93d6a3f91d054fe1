#include "CGraphPage.h"

// A file that is missing ends the build; one that has changed is compiled again.

#define RESOURCE(name) ((GCPResource){name, sizeof name})

static const unsigned char page[] = {
#embed "page.html"
};

static const unsigned char style[] = {
#embed "page.css"
};

static const unsigned char text[] = {
#embed "View/text.js"
};

static const unsigned char element[] = {
#embed "View/element.js"
};

static const unsigned char canvas[] = {
#embed "View/canvas.js"
};

static const unsigned char charts[] = {
#embed "View/charts.js"
};

static const unsigned char scatter[] = {
#embed "View/scatter.js"
};

static const unsigned char table[] = {
#embed "View/table.js"
};

static const unsigned char preview[] = {
#embed "View/preview.js"
};

static const unsigned char objects[] = {
#embed "View/objects.js"
};

static const unsigned char tree[] = {
#embed "View/tree.js"
};

static const unsigned char treemap[] = {
#embed "View/treemap.js"
};

static const unsigned char blocks[] = {
#embed "View/blocks.js"
};

static const unsigned char series[] = {
#embed "View/series.js"
};

static const unsigned char damage[] = {
#embed "View/damage.js"
};

static const unsigned char main_script[] = {
#embed "View/main.js"
};

static const GCPResource scripts[] = {
    RESOURCE(text),    RESOURCE(element), RESOURCE(canvas), RESOURCE(charts), RESOURCE(scatter),
    RESOURCE(table),   RESOURCE(preview), RESOURCE(objects), RESOURCE(tree),  RESOURCE(treemap),
    RESOURCE(blocks),  RESOURCE(series),  RESOURCE(damage), RESOURCE(main_script),
};

GCPResource gcp_page(void) { return RESOURCE(page); }

GCPResource gcp_style(void) { return RESOURCE(style); }

ptrdiff_t gcp_script_count(void) { return sizeof scripts / sizeof scripts[0]; }

GCPResource gcp_script(ptrdiff_t number) { return scripts[number]; }
