// SPDX-License-Identifier: Apache-2.0
/** Reads the options of a client from keyslot.yaml and properties, and reports every problem of them. */
@NullMarked
package io.keyslot.client.config.read;

import org.jspecify.annotations.NullMarked;
