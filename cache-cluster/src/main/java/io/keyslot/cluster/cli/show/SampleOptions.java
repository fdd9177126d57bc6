// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli.show;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How many keys a command looks at. */
final class SampleOptions {
    @Spec(Target.MIXEE)
    private @Nullable CommandSpec spec;

    @Option(
            names = "--sample",
            paramLabel = "<n>",
            defaultValue = "0",
            description = "About so many keys of each partition are looked at; all by default.")
    private long keys;

    /**
     * Returns how many; all if 0.
     *
     * @throws ParameterException if it is negative
     */
    long keys() {
        if (spec != null && keys < 0) {
            throw new ParameterException(spec.commandLine(), "--sample is not negative");
        }
        return keys;
    }
}
