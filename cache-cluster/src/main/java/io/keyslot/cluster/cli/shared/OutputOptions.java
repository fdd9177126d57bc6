// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.shared;

import picocli.CommandLine.Option;

/** The format of a command's result. */
public final class OutputOptions {
    enum Form {
        TABLE,
        JSON;

        /** The form that shells complete. */
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
