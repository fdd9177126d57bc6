// SPDX-License-Identifier: Apache-2.0
/** The shared parts of all commands: options, the open catalogue, texts and exit codes. */
@NullMarked
package io.keyslot.cluster.cli.shared;

import org.jspecify.annotations.NullMarked;
