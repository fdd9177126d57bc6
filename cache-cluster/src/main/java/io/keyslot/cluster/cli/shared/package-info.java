// SPDX-License-Identifier: Apache-2.0
/** What all commands have in common: options, the catalogue that they open, texts and exit codes. */
@NullMarked
package io.keyslot.cluster.cli.shared;

import org.jspecify.annotations.NullMarked;
