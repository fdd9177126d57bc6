// SPDX-License-Identifier: Apache-2.0
/** The configuration of a client as immutable options, read by {@code config.read.ConfigurationLoader}. */
@NullMarked
package io.keyslot.client.config;

import org.jspecify.annotations.NullMarked;
