// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import picocli.CommandLine.Option;

/** How a command says its result. */
public final class OutputOptions {
    /** The forms of a result. */
    enum Form {
        TABLE,
        JSON;

        /** As shells complete it. */
        @Override
        public String toString() {
            return ConstantText.of(this);
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "<form>",
            description = "table for people, which is the default, or json for programs.")
    private Form form = Form.TABLE;

    public boolean isJson() {
        return form == Form.JSON;
    }
}
