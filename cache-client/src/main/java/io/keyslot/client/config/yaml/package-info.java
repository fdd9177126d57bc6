// SPDX-License-Identifier: Apache-2.0
/** A YAML document as nodes that know where they stand, and the problems found in it. */
@NullMarked
package io.keyslot.client.config.yaml;

import org.jspecify.annotations.NullMarked;
